/** A milestone on the trail of a picture. */
export type Stop = { completed: boolean; current: boolean }

/** The content of a share picture. */
type Covered = {
  /** The id of a file. */
  cover: string | null
  /** The project, whose contour lines are drawn without a cover. */
  projectId: string
}

export type Card =
  | { kind: 'site' }
  | (Covered & {
      kind: 'project'
      title: string
      ownerName: string
      progress: number
      /** At most `STOPS_MAX`, each of which may stand for several milestones. */
      stops: Stop[]
      milestones: number
      completed: number
    })
  | (Covered & {
      kind: 'entry'
      title: string
      projectTitle: string
      milestoneTitle: string
      ownerName: string
      stops: Stop[]
    })

/** Returns the cover that a card shows; null for most. */
export const coverOf = (card: Card) => (card.kind === 'site' ? null : card.cover)

/** The maximum number of stops on the trail. */
export const STOPS_MAX = 18

/** The size of a picture, in pixels. */
export const WIDTH = 1_200
export const HEIGHT = 630
/** The width of a cover, at the right. */
export const COVER_WIDTH = 440

/** Returns all words that a card shows. */
export function textOf(card: Card): string {
  return Object.values(card)
    .filter((value) => typeof value === 'string')
    .join(' ')
}
