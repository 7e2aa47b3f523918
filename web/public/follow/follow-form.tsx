import { EMAIL_MAX } from '#contract/email.ts'
import type { RefusedFollower } from '#contract/rendering.ts'
import { publicFollowPath } from '#web/public/paths.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { controlClass } from '#web/ui/controls/text-input.tsx'

type FollowFormProps = { projectId: string; refused: RefusedFollower | undefined }

/** Asks for the address of somebody who wants to follow a project by email, without scripts. */
export function FollowForm({ projectId, refused }: FollowFormProps) {
  return (
    <form method="post" action={publicFollowPath(projectId)} className="flex flex-col gap-3">
      <label className="flex flex-col gap-1.5 text-sm font-semibold">
        Email
        <input
          type="email"
          name="email"
          required
          maxLength={EMAIL_MAX}
          autoComplete="email"
          defaultValue={refused?.email}
          aria-invalid={refused?.status === 400 || undefined}
          aria-describedby={refused ? 'follow-refused follow-terms' : 'follow-terms'}
          className={`${controlClass} h-10 pointer-coarse:h-11`}
        />
      </label>
      {refused && (
        <p id="follow-refused" role="alert" className="text-sm text-danger">
          {refused.sentence}
        </p>
      )}
      <p id="follow-terms" className="text-sm text-muted">
        At most one email a day, when something is new here, and each can be the last with one press. The
        address is used for nothing else; nobody sees it, and nothing counts what you open.
      </p>
      <Button type="submit" variant="primary" className="self-start max-sm:self-stretch">
        Follow by email
      </Button>
    </form>
  )
}
