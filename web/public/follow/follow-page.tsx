import type { RefusedFollower } from '#contract/rendering.ts'
import type { World } from '#contract/world.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { FeedLinks } from '#web/public/feed/feed-links.tsx'
import { publicPath } from '#web/public/paths.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { FollowOptions } from './follow-options.tsx'

type FollowPageProps = {
  project: Pick<World['project'], '_id' | 'title' | 'emailsFollowers'>
  refused?: RefusedFollower
  origin: string
  sendsMail: boolean
}

/** The page about how to follow a public project, for browsers without scripts and for links. */
export function FollowPage({ project, refused, origin, sendsMail }: FollowPageProps) {
  const { _id, title, emailsFollowers } = project
  const canonical = new URL(publicPath(_id), origin).href
  return (
    <Page width="narrow">
      <ScreenTitle>{`Follow ${title}`}</ScreenTitle>
      <NoIndex />
      <FeedLinks projectId={_id} title={title} canonical={canonical} />
      <h1 className="font-reading text-3xl font-medium tracking-tight">Follow This Project</h1>
      <p className="mt-2 text-lg text-muted">
        <bdi lang="">{title}</bdi>
      </p>
      <div className="my-6 flex flex-col gap-5">
        <FollowOptions
          projectId={_id}
          origin={canonical}
          byEmail={sendsMail && emailsFollowers}
          refused={refused}
        />
      </div>
      <LinkButton to={publicPath(_id)}>To the project</LinkButton>
    </Page>
  )
}
