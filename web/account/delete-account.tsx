import { useIsMutating } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { use, useState } from 'react'
import { Link } from 'react-router'
import type { Account, DeletionPreview, SharedProject } from '#contract/account.ts'
import { ApiError } from '#web/api/api-error.ts'
import { watchSession } from '#web/api/client.ts'
import { readToken } from '#web/api/token.ts'
import { useSession } from '#web/identity/session.tsx'
import { forgetTyped } from '#web/saving/interrupted.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { DownloadEverything } from './download-everything.tsx'
import { deletionMutationKey, useDeleteAccount, useTransferProject } from './mutations.ts'
import { useDeletionPreview } from './queries.ts'

/** Deletes the account, in two steps: a dialog shows the consequences and asks for the email address. */
export function DeleteAccount({ account }: { account: Account }) {
  const [isOpen, setIsOpen] = useState(false)
  const isDeleting = useIsMutating({ mutationKey: deletionMutationKey }) > 0

  /** Does not close while the account is being deleted, because that cannot be canceled. Returns whether it closed. */
  function close(): boolean {
    if (!isDeleting) setIsOpen(false)
    return !isDeleting
  }

  return (
    <>
      <p className="text-muted">
        Your projects disappear at once, and you are signed out everywhere. For seven days you can change your
        mind: sign in and keep the account.
      </p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        <Button variant="warning" onClick={() => setIsOpen(true)}>
          Delete my account
        </Button>
        <DownloadEverything quiet>Download everything first</DownloadEverything>
      </div>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => !open && close()}
        onBack={close}
        title="Delete my account"
        sticky
      >
        <DialogBody>
          <Steps account={account} onClose={close} />
        </DialogBody>
      </Dialog>
    </>
  )
}

type StepProps = { account: Account; onClose: () => void }

function Steps({ account, onClose }: StepProps) {
  const { data, isFetching, refetch } = useDeletionPreview()
  if (data && data.shared.length > 0) return <SharedProjects shared={data.shared} />
  if (data) return <Confirmation account={account} preview={data} onClose={onClose} />
  if (isFetching) return <Skeleton className="h-40 rounded-md" />
  return (
    <>
      <Banner>Your projects could not be fetched.</Banner>
      <TryAgain onClick={() => void refetch()} />
    </>
  )
}

/** The projects that must be transferred or deleted first. */
function SharedProjects({ shared }: { shared: SharedProject[] }) {
  return (
    <>
      <p className="text-muted">
        Others are members of these projects. Transfer each one, or open it and delete it; then you can delete
        your account.
      </p>
      <ul className="divide-y divide-line" aria-label="Shared projects">
        {shared.map((project) => (
          <li key={project._id} className="flex flex-wrap items-center gap-x-4 gap-y-2.5 py-3.5">
            <Link
              to={`/projects/${project._id}`}
              className="min-w-0 flex-1 basis-48 font-semibold break-words text-ink underline decoration-edge hover:decoration-current"
            >
              <bdi>{project.title}</bdi>
            </Link>
            {project.members.length > 0 && <HandOver project={project} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function HandOver({ project }: { project: SharedProject }) {
  const { mutate: transfer, isPending } = useTransferProject(project)
  const [chosen, setChosen] = useState<string>()
  const newOwner = project.members.find(({ _id }) => _id === chosen) ?? project.members[0]
  if (!newOwner) return null
  const nameOf = ({ name }: { name: string }) => name || 'Anonymous'
  const isOnlyOne = project.members.length === 1
  return (
    <div className={clsx('flex flex-wrap items-center gap-2.5', isOnlyOne ? 'max-w-full' : 'w-full')}>
      {!isOnlyOne && (
        <Select
          compact
          className="min-w-[min(10rem,100%)] flex-1"
          aria-label={`New owner of ${project.title}`}
          options={project.members.map((member) => ({ value: member._id, label: nameOf(member) }))}
          value={newOwner._id}
          onChange={({ target }) => setChosen(target.value)}
        />
      )}
      <Button
        size="sm"
        busy={isPending}
        className="min-w-0!"
        aria-label={`Transfer ${project.title}${isOnlyOne ? ` to ${nameOf(newOwner)}` : ''}`}
        onClick={() => transfer(newOwner)}
      >
        <span className="truncate">{isOnlyOne ? `Transfer to ${nameOf(newOwner)}` : 'Transfer'}</span>
      </Button>
    </div>
  )
}

function Confirmation({ account, preview, onClose }: StepProps & { preview: DeletionPreview }) {
  const { mutateAsync, isPending, isRunning } = useDeleteAccount()
  const { user, signOut } = useSession()
  const dates = use(DateContext)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()

  function type(text: string) {
    setTyped(text)
    setError(undefined)
  }

  async function remove() {
    if (isRunning()) return
    if (typed === '') return setError('Enter your email address')
    const isSessionOver = watchSession()
    try {
      const { deletesAt } = await mutateAsync(typed)
      // Somebody else may have signed in in another tab, and stays signed in.
      if (isSessionOver() && readToken() !== null) return
      if (user) forgetTyped(user._id)
      await signOut() // redirects to the sign-in page, where the deletion can be canceled
      toast.success(
        `Your account will be deleted on ${dateFormatter('date', dates).format(new Date(deletesAt))}. Sign in before then to keep it.`,
      )
    } catch (error) {
      setError(
        error instanceof ApiError ? error.message : 'Your account could not be deleted. Please try again.',
      )
    }
  }

  return (
    <DialogForm className="gap-5" busy={isPending} onSubmit={remove}>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm text-muted">
        <li>{projectsText(preview.projects)}</li>
        <li>After seven days your name, email address, picture and sessions are gone for ever.</li>
        <li>What you wrote in other people’s projects stays there, under “Former member”.</li>
      </ul>
      <Field label="Your email address" hint={account.email} error={error}>
        <TextInput
          type="email"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" busy={isPending}>
          Delete my account
        </Button>
      </div>
    </DialogForm>
  )
}

function projectsText(projects: number): string {
  if (projects === 0) return 'You have no projects that would be deleted with it.'
  return projects === 1
    ? 'Your project disappears now, and is deleted with the account.'
    : `Your ${projects} projects disappear now, and are deleted with the account.`
}
