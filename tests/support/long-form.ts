/** True in `npm run test:long` and `npm run soak`, where a few tests do much more of the same than in `npm test`. */
export const isLong = process.env["SOAK"] === "long";
