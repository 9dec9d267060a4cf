/**
 * Whether a name can be read: with a letter, without characters that can't be seen or that turn the text around them,
 * and with few accents on one letter. Postgres decides (`private.is_name`); this says so before anything is sent.
 */
export function isVisibleName(name: string): boolean {
  return (
    /\p{L}/u.test(name) &&
    !/[\p{Cc}\p{Co}\p{Zl}\p{Zp}\u034f]|(?![\u200c\u200d])\p{Cf}/u.test(name) &&
    !/^[\s\u115f\u1160\u3164\uffa0\u2800]*$/u.test(name) &&
    !/(?:[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]){4}/u.test(
      name,
    )
  );
}
