/** The ticket of a made-up reading: above all that the sequence gives, so that it began after every earlier one was written. */
export const madeUpTicket = (order: number): number => 10_000_000 + order;
