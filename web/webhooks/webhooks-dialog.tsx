import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { z } from 'zod'
import type { Project } from '#contract/projects.ts'
import { FORMER_SECRET_HOURS, WEBHOOKS_MAX, webhookFields } from '#contract/webhooks.ts'
import { ApiError } from '#web/api/api-error.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { useCreateWebhook, webhooksQuery } from './queries.ts'
import { WebhookRow } from './webhook-row.tsx'

type WebhooksDialogProps = { project: Project; onClose: () => void }

/** The dialog that manages the webhooks of a project. */
export function WebhooksDialog({ project: { _id: projectId, title }, onClose }: WebhooksDialogProps) {
  const [shown, setShown] = useState<ShownSecret>()
  const isMakingSecret = useIsMutating({ mutationKey: webhooksQuery(projectId).queryKey }) > 0

  /** Does not close while a secret is being created, because it is shown only here. Returns whether it closed. */
  function close(): boolean {
    if (!isMakingSecret) onClose()
    return !isMakingSecret
  }

  const hideSecretOf = (webhookId: string) =>
    setShown((shown) => (shown?.webhookId === webhookId ? undefined : shown))

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      onBack={close}
      title="Webhooks"
      description={
        <span dir="auto" className="line-clamp-2">
          {title}
        </span>
      }
      size="lg"
      sticky={shown !== undefined}
    >
      <DialogBody>
        <p className="text-sm text-muted">
          Milepost sends what happens in this project to these URLs, signed as specified by Standard Webhooks.
          Drafts and invitations are left out.
        </p>
        <CreateForm projectId={projectId} isQuiet={shown !== undefined} onCreated={setShown} />
        {shown && <Secret key={shown.secret} {...shown} />}
        <WebhookList projectId={projectId} onRotated={setShown} onDeleted={hideSecretOf} />
      </DialogBody>
    </Dialog>
  )
}

/** `replaces`: the URL of the webhook, if the secret replaces a former one. */
type ShownSecret = { webhookId: string; secret: string; replaces?: string }

type CreateFormProps = {
  projectId: string
  /** Whether a secret is shown, so that copying it is the main action. */
  isQuiet: boolean
  onCreated: (shown: ShownSecret) => void
}

/** The form is preserved until the webhook is created. */
function CreateForm({ projectId, isQuiet, onCreated }: CreateFormProps) {
  const { create, isPending } = useCreateWebhook(projectId)
  const { data } = useQuery(webhooksQuery(projectId))
  const { typed, type, end } = useFormDraftState(formNames.webhook(projectId), z.string(), '')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  function refuse(message: string | undefined) {
    setError(message)
    field.current?.focus()
  }

  async function submit() {
    const parsed = webhookFields.safeParse({ url: typed })
    if (!parsed.success) return refuse(parsed.error.issues[0]?.message)
    setError(undefined)
    try {
      const created = await create(parsed.data.url)
      if (created?.secret === undefined) return
      end(typed, '')
      onCreated({ webhookId: created.webhook._id, secret: created.secret })
    } catch (error) {
      refuse(error instanceof ApiError ? error.message : 'The webhook could not be added. Please try again.')
    }
  }

  return (
    <form
      method="post"
      noValidate
      aria-label="Add a webhook"
      className="flex flex-wrap items-start gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void submit()
      }}
    >
      <Field label="URL" error={error} className="min-w-[min(14rem,100%)] flex-1">
        <TextInput
          ref={field}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.org/hook"
          value={typed}
          onChange={({ target }) => {
            type(target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Button
        type="submit"
        variant={isQuiet ? 'secondary' : 'primary'}
        className="max-sm:w-full sm:mt-6.5"
        busy={isPending}
        disabled={(data?.length ?? 0) >= WEBHOOKS_MAX}
      >
        Add webhook
      </Button>
    </form>
  )
}

/**
 * The secret that was just created. It is scrolled into view, because it is above the list with the button that creates another.
 */
function Secret({ secret, replaces }: ShownSecret) {
  return (
    <section
      ref={(section) => section?.scrollIntoView({ block: 'nearest' })}
      aria-label="Secret"
      className="flex animate-fade flex-col gap-2.5 rounded-lg border border-accent/40 bg-accent-soft/35 p-4 text-sm"
    >
      <p className="font-semibold">
        Copy the {replaces !== undefined && 'new '}secret that its messages are signed with: it is shown only
        this once.
      </p>
      {replaces !== undefined && (
        <p>
          Messages to <bdi className="break-all">{replaces}</bdi> are also signed with the former one for{' '}
          {FORMER_SECRET_HOURS} hours. If somebody else knows that, make a second new one: then it is gone at
          once.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2.5">
        <code className="min-w-0 flex-1 basis-48 truncate rounded-md border border-line bg-raised px-3 py-2 font-mono text-xs">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy secret" variant="primary" className="max-sm:w-full" />
      </div>
    </section>
  )
}

type WebhookListProps = {
  projectId: string
  onRotated: (shown: ShownSecret) => void
  onDeleted: (webhookId: string) => void
}

function WebhookList({ projectId, onRotated, onDeleted }: WebhookListProps) {
  const query = useQuery({ ...webhooksQuery(projectId), refetchOnMount: 'always' })
  const { data, isError, isFetching, refetch } = query
  if (!data && isError)
    return (
      <FetchFailed
        title="The webhooks could not be fetched"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return (
      <output className="block">
        <VisuallyHidden>Loading webhooks</VisuallyHidden>
        <Skeleton className="h-16" />
      </output>
    )
  if (data.length === 0)
    return (
      <p className="rounded-lg border border-dashed border-line px-4 py-8 text-center text-muted">
        No webhooks yet.
      </p>
    )
  return (
    <ul
      tabIndex={-1}
      aria-label="Webhooks"
      className="-mb-3.5 divide-y divide-line border-t border-line outline-none"
    >
      {data.map((webhook) => (
        <WebhookRow
          key={webhook._id}
          projectId={projectId}
          webhook={webhook}
          onRotated={(secret) => onRotated({ webhookId: webhook._id, secret, replaces: webhook.url })}
          onDeleted={onDeleted}
        />
      ))}
    </ul>
  )
}
