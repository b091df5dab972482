// The big screen of an event, opened by its address.

import { start } from "./screen.js";
import "./screen-room.js";

start();
