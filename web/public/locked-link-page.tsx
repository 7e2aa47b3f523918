import { LockKeyhole } from 'lucide-react'
import { LINK_PASSWORD_MAX } from '#contract/shares.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { controlClass } from '#web/ui/controls/text-input.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { publicPath } from './paths.ts'

/** Asks for the password of a share link, without scripts. It tells nothing of the project. */
export function LockedLinkPage({ linkId, isWrong }: { linkId: string; isWrong: boolean }) {
  return (
    <Page width="narrow">
      <ScreenTitle>Enter the password</ScreenTitle>
      <NoIndex />
      <LockKeyhole className="mb-4 size-8 text-muted" aria-hidden="true" />
      <h1 className="font-reading text-3xl font-medium tracking-tight">Enter the password</h1>
      <p id="why" className="mt-2 mb-6 text-muted">
        Whoever shared this link with you has protected it. They can tell you its password.
      </p>
      {isWrong && (
        <div id="wrong">
          <Banner className="mb-5">That is not the password. Please try again.</Banner>
        </div>
      )}
      <form method="post" action={`${publicPath(linkId)}/open`} className="flex max-w-sm flex-col gap-4">
        <label className="flex flex-col gap-1.5 text-sm font-semibold">
          Password
          <input
            type="password"
            name="password"
            required
            maxLength={LINK_PASSWORD_MAX}
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is for this field alone, which says what it is for
            autoFocus
            aria-describedby={isWrong ? 'wrong' : 'why'}
            className={`${controlClass} h-10 pointer-coarse:h-11`}
          />
        </label>
        <Button type="submit" variant="primary">
          Open
        </Button>
      </form>
    </Page>
  )
}
