const MOST = 9

/** What the bell's badge says of so many unread notifications; null: there is no badge. */
export function badgeText(unread: number): string | null {
  if (unread <= 0) return null
  return unread > MOST ? `${MOST}+` : String(unread)
}
