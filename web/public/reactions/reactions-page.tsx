import type { OfferedReaction } from '#contract/reactions.ts'
import type { WorldEntry } from '#contract/world.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { publicEntryPath, publicReactionsPath } from '#web/public/paths.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { ReactionForm } from './reaction-form.tsx'

type ReactionsPageProps = { found: WorldEntry; reactions: OfferedReaction[]; refused?: string }

/** The reactions to an entry, for browsers without scripts. */
export function ReactionsPage({ found, reactions, refused }: ReactionsPageProps) {
  const { project, entry } = found
  return (
    <Page width="narrow">
      <ScreenTitle>{`Reactions to ${entry.title}`}</ScreenTitle>
      <NoIndex />
      <h1 className="font-reading text-3xl font-medium tracking-tight">Reactions</h1>
      <p className="mt-2 mb-6 text-lg text-muted">
        <bdi lang="">{entry.title}</bdi>
      </p>
      <ReactionForm
        path={publicReactionsPath(project._id, entry._id)}
        reactions={reactions}
        refused={refused}
      />
      <p className="mb-6 text-sm text-muted">
        Each counts once. Press it again to take it back. Nobody sees who you are, and no cookie is set.
      </p>
      <LinkButton to={publicEntryPath(project._id, entry._id)}>To the entry</LinkButton>
    </Page>
  )
}
