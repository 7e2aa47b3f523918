import { type Aim, type Figure, isMet, type Row } from './row.ts'

const WIDTHS = [16, 70, 14, 14, 10, 20, 10, 8]

const cells = (texts: string[]) =>
  texts
    .map((text, index) => text.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd()

export const heading = cells(['row', 'what', 'ours', 'yardstick', 'comes to', 'spread', 'aim', 'met'])

/** A row of the table. */
export function line({ name, what, unit = '', aim }: Row, figure: Figure): string {
  const told = (value: number) => (unit ? value.toFixed(0) : value.toFixed(2))
  const { value, low, high, ours, yardstick } = figure
  return cells([
    name,
    what,
    ours,
    yardstick,
    told(value) + unit,
    low === high ? '' : `${told(low)} to ${told(high)}`,
    aim ? aimText(aim, unit) : '',
    aim ? (isMet(aim, value) ? 'yes' : 'no') : '',
  ])
}

const aimText = (aim: Aim, unit: string) => ('atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`) + unit
