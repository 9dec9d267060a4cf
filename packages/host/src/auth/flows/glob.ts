const SPECIAL = /[\\^$.|?*+()[\]{}]/g;

/** Everything but the two characters that separate the parts of an address. */
const WITHIN_PART = "[^./]";

function escape(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}

function characterClass(body: string): string {
  const negated = body.startsWith("!");
  const inner = (negated ? body.slice(1) : body).replace(/[\\\]^[]/g, "\\$&");
  return `[${negated ? "^" : ""}${inner}]`;
}

/**
 * A pattern of `additional_redirect_urls` as a regular expression over a whole address.
 * `*` stands for any text without `.` and `/`, `**` for any text, `?` for one character of a part,
 * `{a,b}` for either, `[a-z]` and `[!a-z]` for one character; a backslash takes the next one literally.
 */
export function globToRegExp(glob: string): RegExp {
  let source = "";
  let depth = 0;
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob[index] ?? "";
    if (character === "\\" && index + 1 < glob.length) {
      index += 1;
      source += escape(glob[index] ?? "");
    } else if (character === "*") {
      const any = glob[index + 1] === "*";
      if (any) index += 1;
      source += any ? ".*" : `${WITHIN_PART}*`;
    } else if (character === "?") {
      source += WITHIN_PART;
    } else if (character === "[" && glob.indexOf("]", index + 2) !== -1) {
      const end = glob.indexOf("]", index + 2);
      source += characterClass(glob.slice(index + 1, end));
      index = end;
    } else if (character === "{" && glob.indexOf("}", index) !== -1) {
      depth += 1;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (character === "," && depth > 0) {
      source += "|";
    } else {
      source += escape(character);
    }
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`, "s");
}
