/** Thrown for wrong use of the library, as in Stripe.js. */
export class IntegrationError extends Error {
  constructor(message) {
    super(message);
    this.name = "IntegrationError";
  }
}
