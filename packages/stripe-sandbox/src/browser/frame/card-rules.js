/**
 * Rules for card numbers, expiry dates and security codes. Shared by the card entry in the browser and by the API.
 */

/** Brand, first digits, lengths, groups of digits as printed, length of the security code. */
const brandRules = [
  ["amex", /^3[47]/, [15], [4, 6, 5], 4],
  ["diners", /^3(?:0[0-5]|09|[689])/, [14, 16], [4, 4, 4, 4], 3],
  ["jcb", /^35(?:2[89]|[3-8])/, [16], [4, 4, 4, 4], 3],
  ["discover", /^(?:6011|64[4-9]|65)/, [16], [4, 4, 4, 4], 3],
  ["unionpay", /^62/, [16, 19], [4, 4, 4, 4, 3], 3],
  ["mastercard", /^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [16], [4, 4, 4, 4], 3],
  ["visa", /^4/, [16], [4, 4, 4, 4], 3],
];

const unknownBrand = { brand: "unknown", lengths: [16], groups: [4, 4, 4, 4], cvcLength: 3 };

export function brandOf(digits) {
  const row = brandRules.find(([, prefix]) => prefix.test(digits));
  if (!row) return unknownBrand;
  return { brand: row[0], lengths: row[2], groups: row[3], cvcLength: row[4] };
}

/** The check digit of ISO/IEC 7812. */
export function passesLuhn(digits) {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    let digit = Number(digits[digits.length - 1 - place]);
    if (place % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return digits.length > 0 && sum % 10 === 0;
}

export function formatNumber(digits) {
  const { groups } = brandOf(digits);
  const parts = [];
  let from = 0;
  for (const size of groups) {
    if (from >= digits.length) break;
    parts.push(digits.slice(from, from + size));
    from += size;
  }
  return parts.join(" ");
}

/** "", "incomplete" or "invalid". */
export function numberIssue(digits) {
  const { brand, lengths } = brandOf(digits);
  if (digits.length < lengths[0]) return "incomplete";
  if (brand === "unknown" || !lengths.includes(digits.length) || !passesLuhn(digits)) {
    return "invalid";
  }
  return "";
}

/** "", "incomplete", "invalid_month", "month_past", "year_past" or "invalid_year" for MM and YY. */
export function expiryIssue(digits, today) {
  if (digits.length >= 2) {
    const month = Number(digits.slice(0, 2));
    if (month < 1 || month > 12) return "invalid_month";
  }
  if (digits.length < 4) return "incomplete";
  const year = 2000 + Number(digits.slice(2, 4));
  const month = Number(digits.slice(0, 2));
  const thisYear = today.getFullYear();
  if (year < thisYear) return "year_past";
  if (year > thisYear + 50) return "invalid_year";
  if (year === thisYear && month < today.getMonth() + 1) return "month_past";
  return "";
}
