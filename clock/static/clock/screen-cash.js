// The big screen of an evening of cash tables alone, opened by its address.

import { drawHall } from "./hall-faces.js";
import { tell } from "./live.js";
import { start } from "./screen.js";
import "./screen-room.js";

start(drawHall);
tell("screen", { shows: "cash" });
