import type Stripe from "stripe";
import { BootError } from "basehost";
import { ProviderLab } from "./provider-lab.ts";
import { providerQuestions, type ProviderQuestion } from "./provider-questions.ts";

/** How often a test clock of the provider is looked at. It needs half a minute for a month. */
const pollMs = 3000;

/**
 * Puts every open question to an account in test mode, one after another, and says what it answered.
 * @returns how many answers are not what the product counts on, or were not given.
 * @throws {BootError} with a key of live mode: real customers are nothing to try on.
 */
export async function settleWithProvider(
  stripe: Stripe,
  key: string,
  say: (line: string) => void,
  options: { questions?: readonly ProviderQuestion[]; pollMs?: number } = {},
): Promise<number> {
  if (!/^(?:sk|rk)_test_/.test(key)) {
    throw new BootError("--afternoon needs a key of test mode: it makes customers and payments");
  }
  let open = 0;
  for (const { question, matters, ask } of options.questions ?? providerQuestions) {
    const lab = new ProviderLab(stripe, options.pollMs ?? pollMs);
    say(question);
    try {
      const { answer, isAsCountedOn } = await ask(lab);
      if (isAsCountedOn) say(`  settled    ${answer}`);
      else {
        open += 1;
        say(`  DIFFERENT  ${answer}`);
        say(`             look at: ${matters}`);
      }
    } catch (error) {
      open += 1;
      say(`  not asked  ${(error as Error).message}`);
    }
    await lab.clear().catch((error: unknown) => {
      say(`  left behind in the account: ${(error as Error).message}`);
    });
  }
  return open;
}
