// A big screen that the director has taken to an event: its faces and its sound come from him.

import { drawHall } from "./hall-faces.js";
import { openLink } from "./hall-link.js";
import { start } from "./screen.js";
import "./screen-room.js";
import * as sound from "./sound.js";

start(drawHall);
openLink(sound);
