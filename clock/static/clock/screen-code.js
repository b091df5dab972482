// A big screen that shows its code until somebody takes it.

import { openLink } from "./hall-link.js";
import "./screen-room.js";

openLink();
