// A big screen that was taken to an event: the director chooses its faces and its sound.

import { drawHall } from "./hall-faces.js";
import { openLink } from "./hall-link.js";
import { start } from "./screen.js";
import "./screen-room.js";
import * as sound from "./sound.js";

start(drawHall);
openLink(sound);
