import { type OfferedReaction, REACTIONS } from '#contract/reactions.ts'
import { reactionNames } from '#web/reactions/names.ts'
import { buttonClass } from '#web/ui/controls/button.tsx'

type ReactionFormProps = {
  /** The path of the reactions to an entry. */
  path: string
  /** Undefined on a page that is the same for everybody: `islands/reactions.ts` fetches them. */
  reactions?: OfferedReaction[]
  refused?: string | undefined
}

/** The reactions that a reader can give to an entry or take back, also without scripts. */
export function ReactionForm({ path, reactions, refused }: ReactionFormProps) {
  return (
    <form
      method="post"
      action={path}
      aria-label="Reactions"
      className="flex flex-wrap items-center gap-x-1.5 gap-y-2"
      {...(!reactions && { 'data-island': 'reactions' })}
    >
      {REACTIONS.map((kind) => {
        const { count = 0, isMine = false } = reactions?.find((given) => given.kind === kind) ?? {}
        const { name, icon: Icon } = reactionNames[kind]
        return (
          <button
            key={kind}
            type="submit"
            name={isMine ? 'take' : 'give'}
            value={kind}
            aria-pressed={isMine}
            className={buttonClass({ size: 'chip' }, pressedClass)}
          >
            <Icon aria-hidden="true" />
            <span>
              {name} <span className="tabular-nums">{count > 0 && count}</span>
            </span>
          </button>
        )
      })}
      {!reactions && (
        <a href={path} className="hidden text-sm text-accent underline underline-offset-4 noscript:inline">
          See the reactions
        </a>
      )}
      <output className="basis-full text-sm text-muted">{refused}</output>
    </form>
  )
}

const pressedClass = 'aria-pressed:border-accent aria-pressed:bg-accent-soft'
