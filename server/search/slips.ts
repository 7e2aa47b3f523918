/** Whether two words differ by one letter: replaced, added, left out, or two neighbors swapped. */
export function isSlip(one: string, other: string): boolean {
  if (one === other) return false
  const [a, b] = [Array.from(one), Array.from(other)]
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  const rest = (letters: string[], from: number) => letters.slice(from).join('')
  if (a.length > b.length) return rest(a, start + 1) === rest(b, start)
  if (a.length < b.length) return rest(a, start) === rest(b, start + 1)
  if (rest(a, start + 1) === rest(b, start + 1)) return true
  return a[start] === b[start + 1] && a[start + 1] === b[start] && rest(a, start + 2) === rest(b, start + 2)
}
