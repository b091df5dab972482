// Which cards count in each game, and for whom: the twin of rulings/domain/contests.py.

const HOLE = { holdem: 2, omaha: 4, omaha_hilo: 4, stud: 7, stud_hilo: 7, razz: 7, triple_draw: 5 };
const isFlop = (game) => game === "holdem" || isOmaha(game);
const isStud = (game) => game === "stud" || game === "stud_hilo" || game === "razz";
const isOmaha = (game) => game === "omaha" || game === "omaha_hilo";
const isLow = (game) => game === "razz" || game === "triple_draw";
const isHalved = (game) => game === "omaha_hilo" || game === "stud_hilo";
const boardOf = (game) => (isFlop(game) ? 5 : 0);

export { HOLE, boardOf, isStud, isOmaha, isLow, isHalved };
