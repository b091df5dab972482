// A paired screen that shows the lobby.

import { openLink } from "./hall-link.js";
import "./lobby.js";
import "./screen-room.js";

openLink();
