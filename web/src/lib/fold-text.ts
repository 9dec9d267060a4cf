/** Accents and points that people leave out, and characters that cannot be seen. */
const markRanges = [
  String.raw`\u00AD\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u061C\u0640`,
  String.raw`\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u180B-\u180F\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200F`,
  String.raw`\u202A-\u202E\u2060-\u206F\u20D0-\u20F0\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF\u{E0100}-\u{E01EF}`,
];
const marks = new RegExp(`[${markRanges.join("")}]+`, "gu");
const spaces = /[\s\u0085]+/gu;
const apostrophes =
  /[\u2018\u2019\u201B\u2032\u02B9\u02BB\u02BC\u02BD\u0060\u00B4\u0384\u1FBD\u1FBF\u1FEF\u1FFD\u055A\u05F3\uA78C\uFF07]/gu;

/** Letters with a stroke or a hook have no accent to leave out; the final sigma is a sigma, every dash a hyphen. */
const plainLetters = new Map(
  Object.entries({
    ø: "o",
    ł: "l",
    đ: "d",
    ħ: "h",
    ı: "i",
    ŧ: "t",
    ð: "d",
    ŋ: "n",
    ĸ: "k",
    ƀ: "b",
    ƙ: "k",
    ɓ: "b",
    ɗ: "d",
    ɠ: "g",
    ɨ: "i",
    ʉ: "u",
    ƶ: "z",
    ǥ: "g",
    ґ: "г",
    ς: "σ",
    ʼ: "'",
    ʹ: "'",
    "′": "'",
    "`": "'",
    ꞌ: "'",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "—": "-",
    "―": "-",
    "−": "-",
    ß: "ss",
    æ: "ae",
    œ: "oe",
    þ: "th",
  }),
);

/** A text as searches compare it: no case, accents, ligatures or invisible characters, one apostrophe, single spaces. As `private.fold_text` folds. */
export function foldText(text: string): string {
  const letters = text
    .replaceAll(apostrophes, "'")
    .replaceAll(marks, "")
    .normalize("NFKD")
    .replaceAll(marks, "")
    .toLowerCase()
    .replaceAll(marks, "");
  return Array.from(letters, (letter) => plainLetters.get(letter) ?? letter)
    .join("")
    .replaceAll(spaces, " ")
    .replaceAll(/^ | $/gu, "");
}

/** A name or title as searches compare it: folded, without apostrophes. As `private.search_key` makes it. */
export function searchKey(text: string): string {
  return foldText(text).replaceAll("'", "");
}
