/** A rate in hundredths of a per cent as text, such as `20%` or `5.5%`. */
export function formatVatRate(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}
