/** Why something was not done: in the words of who refused it, or as a code that ours are chosen by. */
export type Refusal<Code extends string> = { readonly message: string } | { readonly code: Code };

/** The refusal as a sentence. */
export function refusalText<Code extends string>(
  refusal: Refusal<Code>,
  texts: Readonly<Record<Code, string>>,
): string {
  return "code" in refusal ? texts[refusal.code] : refusal.message;
}
