import { brandOf, formatNumber } from "./card-rules.js";

/** Puts formatted text into a field with the caret after as many digits as before. */
function place(field, text, digitsBefore) {
  if (field.value === text) return;
  field.value = text;
  let caret = 0;
  for (let seen = 0; caret < text.length && seen < digitsBefore; caret += 1) {
    if (/\d/.test(text[caret])) seen += 1;
  }
  if (digitsBefore > 0 && !/\d/.test(text.slice(caret))) caret = text.length;
  if (field.ownerDocument.activeElement === field) field.setSelectionRange(caret, caret);
}

const digitsOf = (text) => text.replaceAll(/\D/g, "");

export function formatNumberField(field) {
  const before = digitsOf(field.value.slice(0, field.selectionStart ?? field.value.length)).length;
  const all = digitsOf(field.value);
  const digits = all.slice(0, Math.max(...brandOf(all).lengths));
  place(field, formatNumber(digits), before);
  return digits;
}

/** Accepts MMYY, M/YY and MM/YYYY; returns MMYY. `existing` is the earlier value. */
export function formatExpiryField(field, existing, isDeleting) {
  let text = field.value;
  if (/^\d\s*\//.test(text)) text = `0${text}`;
  let digits = digitsOf(text);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  if (/^(?:0[1-9]|1[0-2])20\d\d$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  if (isDeleting && digits === existing && digits.length === 2) digits = digits.slice(0, 1);
  const isOpen = digits.length > 2 || (digits.length === 2 && !isDeleting);
  const shown = isOpen ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
  if (field.value !== shown) {
    field.value = shown;
    if (field.ownerDocument.activeElement === field) {
      field.setSelectionRange(shown.length, shown.length);
    }
  }
  return digits;
}

export function formatCvcField(field, numberDigits) {
  const { brand, cvcLength } = brandOf(numberDigits);
  const digits = digitsOf(field.value).slice(0, brand === "unknown" ? 4 : cvcLength);
  if (field.value !== digits) field.value = digits;
  return digits;
}
