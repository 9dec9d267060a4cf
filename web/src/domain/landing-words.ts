/** The words at the head of the landing page while an owner has published no others. */
export const landingWords = {
  headline: "Earn ten times more in six months. Or stay for free.",
  lead: "A membership for people who want to earn more and are willing to work for it. If you do not 10x your income within 6 months, you get your money back and continue for free.",
} as const;
