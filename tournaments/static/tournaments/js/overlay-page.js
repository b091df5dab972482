import "../../clock/live.js";
import "./strip.js";
import "./again.js";
