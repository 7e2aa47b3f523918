/** A stop on the trail of a picture. */
export type Stop = { completed: boolean; current: boolean }

/** What a picture beside a shared link shows. */
export type Card =
  | { kind: 'site' }
  | { kind: 'project'; title: string; ownerName: string; progress: number; stops: Stop[] }
  | {
      kind: 'entry'
      title: string
      projectTitle: string
      milestoneTitle: string
      ownerName: string
      stops: Stop[]
    }

/** The size of a picture, in pixels. */
export const WIDTH = 1_200
export const HEIGHT = 630

/** Every word that a card shows. */
export function textOf(card: Card): string {
  return Object.values(card)
    .filter((value) => typeof value === 'string')
    .join(' ')
}
