import { constants, setPriority } from 'node:os'
import type { Card } from './card.ts'
import { paint } from './paint.ts'
import type { Outcome } from './painting.ts'

/** The program that paints the cards its parent sends, one after the other, until it is ended. */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.once('disconnect', () => process.exit())
process.on('message', (card) => void answer(card as Card))

async function answer(card: Card) {
  process.send?.(await outcomeOf(card))
}

async function outcomeOf(card: Card): Promise<Outcome> {
  try {
    return { png: await paint(card) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
