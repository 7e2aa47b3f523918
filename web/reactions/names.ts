import { Award, Heart, Lightbulb, type LucideIcon, Smile, Telescope } from 'lucide-react'
import type { ReactionKind } from '#contract/reactions.ts'

/** What readers say with each reaction, and its icon. */
export const reactionNames: { [kind in ReactionKind]: { name: string; icon: LucideIcon } } = {
  love: { name: 'Lovely', icon: Heart },
  applause: { name: 'Well done', icon: Award },
  smile: { name: 'Made me smile', icon: Smile },
  insight: { name: 'Learned something', icon: Lightbulb },
  curious: { name: 'Curious what’s next', icon: Telescope },
}
