/** The user's calendar date as `yyyy-mm-dd`. */
export function today(): string {
  const now = new Date();
  const part = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${part(now.getMonth() + 1)}-${part(now.getDate())}`;
}
