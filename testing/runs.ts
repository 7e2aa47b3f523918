/**
 * How many inputs a property gets whose every run writes to a database: `whole` in `npm run test:all`, and a third in `npm test`, which
 * repeats the same inputs each time.
 */
export const runs = (whole: number): number =>
  process.env.MILEPOST_TESTS === 'all' ? whole : Math.ceil(whole / 3)
