/** Base64 of random bytes has more, and so has any sentence. */
const fewestDifferentCharacters = 10;
/** Words of examples that are printed in instructions, also of Supabase's own, and meant to be replaced. */
const exampleWords =
  /super[-_ ]?secret|jwt[-_ ]?(?:secret|token)|at[-_ ]?least[-_ ]?32|change[-_ ]?me|password|example/i;

/** Whether half of the characters follow the one before them in the alphabet or on the row of digits, or repeat it. */
function isSequence(text: string): boolean {
  const steps = Array.from({ length: text.length - 1 }, (_, at) =>
    Math.abs(text.charCodeAt(at + 1) - text.charCodeAt(at)),
  );
  return steps.filter((step) => step <= 1).length * 2 >= steps.length;
}

/** Whether the text repeats itself, where the last repetition may be cut. */
function isRepetition(text: string): boolean {
  const half = Math.floor(text.length / 2);
  return Array.from({ length: half }, (_, at) => at + 1).some((period) =>
    text.startsWith(text.slice(period)),
  );
}

/** True for a secret that others may try first: few different characters, a repetition, a sequence, or a printed example. */
export function isGuessableSecret(secret: string): boolean {
  return (
    new Set(secret).size < fewestDifferentCharacters ||
    isRepetition(secret) ||
    isSequence(secret) ||
    exampleWords.test(secret)
  );
}
