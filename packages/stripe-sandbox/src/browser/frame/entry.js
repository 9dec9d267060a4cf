import { brandOf } from "./card-rules.js";
import { formatCvcField, formatExpiryField, formatNumberField } from "./formats.js";
import { fieldIssues, validationError } from "./validation.js";

const fieldOrder = ["number", "expiry", "cvc", "postal"];

/**
 * The card entry: four fields, their values and their validation. `onState` is called with every new state.
 */
export function createEntry(fields, brandImage, onState) {
  const values = { number: "", expiry: "", cvc: "", postal: "" };
  const left = { number: false, expiry: false, cvc: false, postal: false };
  let needsPostal = false;
  const issues = () => fieldIssues(values, needsPostal);
  let reported = JSON.stringify(state());

  /** "Incomplete" is shown once the field was left, "invalid" at once. */
  function isShown(name, code) {
    if (code === "") return false;
    return code.startsWith("incomplete") ? left[name] && values[name] !== "" : true;
  }

  function state() {
    const found = issues();
    const wrong = fieldOrder.find((name) => isShown(name, found[name]));
    return {
      brand: brandOf(values.number).brand,
      complete: fieldOrder.every((name) => found[name] === ""),
      empty: fieldOrder.every((name) => values[name] === ""),
      error: wrong ? validationError(found[wrong]) : undefined,
      value: { postalCode: values.postal },
    };
  }

  function show() {
    const found = issues();
    for (const name of fieldOrder) {
      const isWrong = isShown(name, found[name]);
      fields[name].classList.toggle("is-invalid", isWrong);
      fields[name].classList.toggle("is-complete", found[name] === "");
      fields[name].classList.toggle("is-empty", values[name] === "");
      fields[name].setAttribute("aria-invalid", String(isWrong));
    }
    const now = state();
    const source = `brand-${now.brand}.svg`;
    if (brandImage.getAttribute("src") !== source) brandImage.setAttribute("src", source);
    const text = JSON.stringify(now);
    if (text === reported) return;
    reported = text;
    onState(now);
  }

  function read(name, isDeleting) {
    const existing = values[name];
    if (name === "number") values.number = formatNumberField(fields.number);
    if (name === "expiry") values.expiry = formatExpiryField(fields.expiry, existing, isDeleting);
    if (name === "cvc" || name === "number") {
      values.cvc = formatCvcField(fields.cvc, values.number);
    }
    if (name === "postal") values.postal = fields.postal.value;
    if (values[name] !== existing) left[name] = false;
  }

  /** Moves the focus to the next field when a field has just been completed at its end. */
  function focusNext(name, existing) {
    const field = fields[name];
    const isAtEnd = field.selectionStart === field.value.length;
    if (document.activeElement !== field || !isAtEnd || values[name] === existing) return;
    if (issues()[name] !== "") return;
    const next = fields[fieldOrder[fieldOrder.indexOf(name) + 1]];
    if (next && !next.hidden) next.focus();
  }

  for (const name of fieldOrder) {
    fields[name].addEventListener("input", (event) => {
      const existing = values[name];
      const kind = event.inputType ?? "";
      read(name, kind.startsWith("delete"));
      show();
      if (kind.startsWith("insert") && name !== "postal") focusNext(name, existing);
    });
    fields[name].addEventListener("keydown", (event) => {
      if (event.key !== "Backspace" || fields[name].value !== "") return;
      const previous = fields[fieldOrder[fieldOrder.indexOf(name) - 1]];
      if (previous) {
        previous.focus();
        event.preventDefault();
      }
    });
    fields[name].addEventListener("blur", () => {
      left[name] = true;
      show();
    });
  }

  return {
    values,
    show,
    setNeedsPostal(needed) {
      needsPostal = needed;
      fields.postal.hidden = !needed;
      show();
    },
    /** Shows and returns the first issue in the order of the fields, or null when the card is complete. */
    check() {
      const found = issues();
      for (const name of fieldOrder) left[name] = true;
      const wrong = fieldOrder.find((name) => found[name] !== "");
      show();
      if (!wrong) return null;
      fields[wrong].classList.add("is-invalid");
      fields[wrong].setAttribute("aria-invalid", "true");
      fields[wrong].focus();
      return validationError(found[wrong]);
    },
    clear() {
      for (const name of fieldOrder) {
        fields[name].value = "";
        values[name] = "";
        left[name] = false;
      }
      show();
    },
  };
}
