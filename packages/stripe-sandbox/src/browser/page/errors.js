/** Thrown for wrong use of the library, as the provider's does. */
export class IntegrationError extends Error {
  constructor(message) {
    super(message);
    this.name = "IntegrationError";
  }
}
