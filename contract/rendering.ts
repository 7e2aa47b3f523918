import type { Terms } from './administration.ts'
import type { CallName, Calls } from './calls.ts'
import type { InvitationDetails } from './collaborators.ts'
import type { EntryOptions } from './entries.ts'
import type { IdentityOptions } from './identity.ts'
import type { CallInput, CallResponse } from './parts/call.ts'
import type { ProfileEntries, ProfilePage } from './profiles.ts'
import type { OfferedReaction } from './reactions.ts'
import type { SearchResult } from './search.ts'
import type { Story } from './story.ts'
import type { World, WorldEntries, WorldEntry, WorldPage, WorldQuery } from './world.ts'

/**
 * Runs a call of the API in process, as a visitor, to read the data of pages that are rendered on the server. Throws an error
 * with `code` and `status` if the call is refused.
 */
export type RunCall = <N extends CallName>(
  name: N,
  input: CallInput<Calls[N]>,
) => Promise<CallResponse<Calls[N]>>

/** A page that is the same for everybody, with everything that it shows. */
export type Page =
  | { kind: 'landing'; year: number }
  | { kind: 'about' }
  | { kind: 'guide' }
  | { kind: 'terms'; terms: Terms }
  | { kind: 'project'; found: WorldPage; order: WorldQuery['order'] }
  | { kind: 'entry'; found: WorldEntry }
  | { kind: 'story' | 'story.print'; found: Story }
  /** `refused`: why a request to follow by email was. */
  | { kind: 'follow'; project: World['project']; refused?: RefusedFollower }
  | { kind: 'email choice'; choice: EmailChoice }
  /** The reactions to an entry; `refused`: why one was. */
  | { kind: 'reactions'; found: WorldEntry; reactions: OfferedReaction[]; refused?: string }
  | { kind: 'search'; project: World['project']; q: string; result: SearchResult }
  | { kind: FeedKind; found: WorldEntries }
  | { kind: 'profile'; found: ProfilePage }
  /** The first page of a site of all projects of a person. */
  | { kind: 'projects'; projects: World['project'][] }
  | { kind: ProfileFeedKind; found: ProfileEntries }
  | MissingPage
  /** Asks for the password of a share link; `isWrong`: the one that was entered is. */
  | { kind: 'locked link'; linkId: string; isWrong: boolean }
  /** Something failed on the server, perhaps while it read a public project. */
  | { kind: 'failed'; isPublicProject: boolean }
  /** A screen of the app at a path and query, which the browser continues. */
  | { kind: 'screen'; path: string; invitation?: FoundInvitation | undefined }

/** The invitation with a token, or why it cannot be shown. */
export type FoundInvitation = { token: string; found?: InvitationDetails; refusal?: Refusal }

type Refusal = { status: number; code: string; message: string }

/** What was typed as an email address, and why nobody is emailed there. */
export type RefusedFollower = { status: 400 | 429; sentence: string; email: string }

/** What somebody decides about emails by the link of one, without an account. */
export type EmailChoice =
  /** An email that asks to confirm is on its way, unless the address follows already. */
  | { step: 'asked'; project: FollowedProject }
  /** `isShared`: a share link of somebody's own leads to the project. */
  | { step: 'confirm' | 'confirmed'; project: FollowedProject; isShared: boolean }
  /** The news of a project; null if it can no longer be read. */
  | { step: 'stop' | 'stopped'; emails: 'follower'; project: FollowedProject | null }
  /** The news of a member's projects: all once a day, or mentions at once. */
  | { step: 'stop' | 'stopped'; emails: 'daily' | 'mention' }
  | { step: 'not valid' }

/** `path`: where it can be read. */
type FollowedProject = { title: string; path: string }

type FeedKind = 'feed.atom' | 'feed.rss' | 'feed.json'
type ProfileFeedKind = `profile.${FeedKind}`

/** The kinds of pages that have routes of their own; `screen`: those for signing in, which are cached. */
export type PageKind =
  | 'landing'
  | 'about'
  | 'guide'
  | 'project'
  | 'entry'
  | 'story'
  | 'story.print'
  | 'follow'
  | 'search'
  | 'screen'
  | 'profile'
  | FeedKind
  | ProfileFeedKind

/** A page that does not exist, and what does not. */
export type MissingPage =
  | { kind: 'missing'; what: 'page' | 'project' | 'link' }
  | { kind: 'missing'; what: 'entry'; project?: Pick<World['project'], '_id' | 'title'> }
  | { kind: 'missing'; what: 'page of project'; projectId: string }

/** The settings of the server that pages show. */
export type PageSettings = {
  origin: string
  identity: IdentityOptions
  entries: EntryOptions
  /** Whether the server sends email. */
  sendsMail: boolean
  /** Whether the pages become files of a site, which has a search of its own. */
  isSite?: boolean
}

export type RenderedPage = { status: number; headers: Record<string, string>; body: string }

/** Renders a page, of which nothing else needs to be known: over HTTP, or into a file. */
export type RenderPage = (page: Page, settings: PageSettings) => Promise<RenderedPage>

/** `pattern`: such as `/projects/:projectId`. `isSameForAll`: whether the document is the same for every path of the pattern. */
export type ScreenMatch = { pattern: string; isSameForAll: boolean }

/** The exports of the build of the pages (web/pages/). */
export type PublicPagesBuild = {
  renderPage: RenderPage
  publicRoutes: readonly { pattern: string; kind: PageKind; cachedParams: CachedParams }[]
  /** Returns the app's screen at a path; null if there is none. */
  screenAt: (pathname: string) => ScreenMatch | null
  /** The text of the inline script of every public page, which the content security policy allows by its hash. */
  pageScript: string
  /** That of every screen of the app. */
  screenScript: string
  /** The URLs of the style sheets. The first one has the rules of all the others. */
  styles: readonly [string, ...string[]]
}

/**
 * The search parameters that a page reads, in their canonical order, each with a function that returns a value's canonical form,
 * or undefined if the value is equivalent to omitting the parameter. A page with a parameter that is `bypass` is never cached. A
 * cached page is rendered from its canonical URL only, so a parameter that is missing here never reaches it.
 */
export type CachedParams = { [name: string]: ((value: string) => string | undefined) | 'bypass' }
