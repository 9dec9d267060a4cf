export const membershipStrings = {
  title: "Membership",
  intro: "Your plan, your card and your invoices. Change or cancel at any time.",
  refresh: "Refresh status",
  loading: "Loading your subscription",
  loadFailedTitle: "We couldn't load your subscription",
  loadFailed: "Nothing has changed. Check your connection and press Refresh status.",
  noPlanTitle: "You have no plan yet",
  noPlan: "Choose a plan to join the community.",
  viewPlans: "View plans",
  adminTitle: "Administrators need no plan",
  admin: "Your account has full access without a subscription.",
  dashboard: "Go to dashboard",
  signOut: "Sign out",
  contactSupport: "Contact support",
  resume: "Resume my membership",
  /** In the place of the plan's name. */
  unknownPlan: "Your plan",
  /** After a price. */
  keptPrice: ", an earlier price that you keep",
  earlierPrice: "At an earlier price, which your invoices show",
  /** After the name of the status. */
  ending: ", ending",
  accessUntil: "Access until",
  trialEndsOn: "Trial ends on",
  renewsOn: "Renews on",
  pausesOn: "Pauses on",
} as const;

/** A membership that was given without payment. */
export const complimentaryStrings = {
  /** In the place of the plan's name. */
  unknownPlan: "Membership",
  badge: "Complimentary",
  openEnded: "This membership is yours. It has no end date.",
  until: (day: string) => `This membership is yours until ${day}.`,
  noCharge: "You're not charged for it and it doesn't renew.",
} as const;

export const subscriptionStatusNames: Readonly<Record<string, string>> = {
  active: "Active",
  trialing: "On trial",
  incomplete: "Incomplete",
  incomplete_expired: "Expired",
  past_due: "Past due",
  not_started: "Not started",
  canceled: "Cancelled",
  unpaid: "Unpaid",
  paused: "Paused",
};

/** What a hold asks of the member, whatever the status. */
export const holdNotes: Readonly<Record<string, string>> = {
  disputed:
    "Your bank has disputed a payment, so your membership is on hold until that is decided. If you did not mean to dispute it, ask your bank to withdraw the dispute.",
  dispute_lost:
    "Your bank reversed a payment, so your membership has ended. Choose a plan to come back; your progress is kept.",
  paused:
    "Your membership is paused and nothing is charged. Your price, your level and your rooms are waiting for you.",
  refunded:
    "Your last payment was refunded, so your membership has ended. Choose a plan to come back; your progress is kept.",
};

/** What a status asks of the member. */
export const statusNotes: Readonly<Record<string, string>> = {
  incomplete: "Your payment is still processing or requires further action.",
  past_due: "Your last payment failed. Please update your payment method.",
  // A declined card ends the first subscription at once; the provider ends one that stays unpaid for 23 hours.
  incomplete_expired:
    "Your first payment didn't go through, and you haven't been charged. Choose a plan to try again.",
  unpaid: "Several payments failed, so your membership is on hold. Choose a plan to start again.",
  paused:
    "Your membership is paused and nothing is charged. Choose a plan to come back; your progress is kept.",
  canceled: "Your membership has ended. Choose a plan to come back; your progress is kept.",
};

/** What a status leaves open, and what a trial costs. */
export const subscriptionStatusStrings = {
  disputed: "On hold",
  refunded: "The refund usually takes 5 to 10 working days to show on your card.",
  overdue:
    "You have no access until the payment goes through. We'll take it as soon as you save a card.",
  grace: (day: string) =>
    `You keep your access until ${day}. Save a card before then, and we'll take the payment at once.`,
  overdueEnding:
    "You have no access until the payment goes through. We'll take it as soon as you save a card, and your membership still ends with this period.",
  incomplete:
    "Your access starts once it is paid. To pay again, choose your plan; you'll only be charged once.",
  trialEnding: "Your trial ends without a charge.",
  trialWithoutCard: (day: string) =>
    `Nothing is charged until ${day}. Add a card before then to keep your access.`,
  trial: (day: string, price: string, card: string) =>
    `Nothing is charged until ${day}. Then we charge ${price}, before any discounts, to ${card}.`,
  // In the place of what is not known.
  unknownTrialEnd: "your trial ends",
  unknownPrice: "your plan's price",
  unknownCard: "your card",
} as const;

/** Cancelling the renewal, and keeping it. */
export const renewalStrings = {
  keep: "Keep My Subscription",
  cancel: "Cancel Subscription",
  title: "Cancel your subscription?",
  confirm: "Yes, cancel",
  stay: "Keep my subscription",
  endsTrial: (day: string) =>
    `You'll keep your access until your trial ends on ${day}. Nothing is charged, and we'll keep your progress in case you come back.`,
  endsOverdue: (day: string) =>
    `You have no access because the last payment failed. Your membership ends on ${day}; until then we keep trying to take that payment. We'll keep your progress in case you come back.`,
  ends: (day: string) =>
    `You'll keep your access until ${day}. You won't be charged again, and we'll keep your progress in case you come back.`,
  endsPaused:
    "Your membership ends now instead of resuming after the pause. Nothing is charged, and we'll keep your progress in case you come back.",
  unknownEnd: "the end of this period",
  dropsSwitch: (plan: string) =>
    `This also drops your planned switch to ${plan}. Keeping your subscription later doesn't bring it back.`,
  reason: "Why are you leaving? (optional)",
  noReason: "I'd rather not say",
  comment: "Anything we should know? (optional)",
} as const;

/** The right to withdraw within 14 days of the first payment. */
export const withdrawalStrings = {
  title: "Changed your mind?",
  until: (day: string, amount: string) =>
    `You can withdraw until the end of ${day}, without giving a reason, and get ${amount} back.`,
  open: "Withdraw from my membership",
  ask: "Withdraw from your membership?",
  consequence: (amount: string) =>
    `Your membership ends at once, and we refund ${amount} to the card you paid with. It usually takes 5 to 10 working days to show there. Your account and your progress stay in case you come back.`,
  confirm: (amount: string) => `Withdraw and refund ${amount}`,
  stay: "Keep my membership",
  done: (amount: string) => `You have withdrawn. ${amount} is on its way back to your card.`,
  failed: "We couldn't withdraw your membership. Nothing is lost; please try again.",
} as const;

/** The card provider's values for feedback, in words. */
export const cancellationReasons = [
  { value: "too_expensive", label: "It costs too much" },
  { value: "unused", label: "I don't use it enough" },
  { value: "missing_features", label: "Something I need is missing" },
  { value: "switched_service", label: "I found something else" },
  { value: "too_complex", label: "It's too complicated" },
  { value: "low_quality", label: "It's not as good as I hoped" },
  { value: "customer_service", label: "I wasn't happy with the support" },
  { value: "other", label: "Another reason" },
] as const;
