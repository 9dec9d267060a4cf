import { brand } from "../product/brand.ts";
import { paths } from "../product/paths.ts";
import type { EmailBlock } from "./render-email.ts";

/**
 * What the law wants in an e-mail that confirms a contract: the terms in force, and the form to withdraw with. Nothing for
 * a payment that began none.
 * @param of what the contract is for, such as `a membership`.
 */
export function contractBlocks(
  termsVersion: number | undefined,
  of: string,
): readonly EmailBlock[] {
  if (termsVersion === undefined) return [];
  return [
    {
      type: "links",
      rows: [
        {
          text: `The terms of your contract, version ${termsVersion}`,
          path: `${paths.terms}?version=${termsVersion}`,
        },
        { text: "How to withdraw, and what we refund", path: paths.refunds },
      ],
    },
    {
      type: "paragraph",
      text: `You asked us to begin at once. You have 14 days from the day after your payment to withdraw, without giving a reason: in your account, or with this form to ${brand.supportEmail}.`,
    },
    {
      type: "quote",
      text: `I withdraw from my contract for ${of}.\nOrdered on:\nMy name and the email address of my account:\nDate:`,
    },
  ];
}
