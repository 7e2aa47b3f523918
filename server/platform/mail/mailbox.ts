/**
 * The mailbox behind an address, as far as one can publish: many providers ignore case, dots and what follows a plus.
 * Where a provider tells them apart, several people share a limit; that costs them a email at worst.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email.slice(0, at).replace(/\+.*/s, '').replaceAll('.', '')
  return (name + email.slice(at)).toLowerCase()
}
