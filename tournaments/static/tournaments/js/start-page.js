// The page on the home screen: what this browser keeps, then the clock that goes on by itself.

import "./start.js";
import "./own-pages.js";
import "./strip.js";
