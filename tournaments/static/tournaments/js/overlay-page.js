import "../../clock/live.js";
import "./strip.js";
import "./overlay.js";
