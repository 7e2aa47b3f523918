import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { ABOUT_MAX, PROFILE_NAME_MAX, type Profile, profileChange } from '#contract/profiles.ts'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Checkbox, Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => request('readProfile', {}, { signal }),
})

type Change = { name?: string; about?: string; isOn?: boolean }

function useChangeProfile(part: 'texts' | 'switch') {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['profile', part],
    mutationFn: (body: Change) => change('changeProfile', { body }),
    onSuccess(profile) {
      if (profile) client.setQueryData(profileQuery.queryKey, profile)
    },
    // The form shows its own failures at its fields.
    ...(part === 'switch' && { failed: 'Your page could not be changed. Please try again.' }),
  })
}

/** The settings of one's own public page. */
export function OwnPage() {
  const { data, isError, isFetching, refetch } = useQuery(profileQuery)
  if (data) return <Settings profile={data} />
  if (!isError) return <Skeleton className="h-40" />
  return (
    <FetchFailed title="Your page could not be fetched" busy={isFetching} onRetry={() => void refetch()} />
  )
}

function Settings({ profile }: { profile: Profile }) {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted">
        One address for all your public projects, with your name, your picture and a feed. Unlisted and
        private projects are not on it.
      </p>
      <Texts profile={profile} />
      <Switch profile={profile} />
    </div>
  )
}

const schema = z.object({ name: z.string(), about: z.string() })

/** The name of the page and the sentence on it, stored as a draft until they are saved. */
function Texts({ profile }: { profile: Profile }) {
  const saved = { name: profile.name ?? '', about: profile.about }
  const { typed, type, end } = useFormDraftState(formNames.ownPage(), schema, saved)
  const [errors, setErrors] = useState<{ name?: string; about?: string }>({})
  const { mutateAsync, isPending, isRunning } = useChangeProfile('texts')
  const isDirty = typed.name.trim() !== saved.name || typed.about.trim() !== saved.about

  async function save() {
    const sent = typed
    const { data, error } = profileChange.safeParse({
      ...(sent.name.trim() !== '' && { name: sent.name }),
      about: sent.about.trim(),
    })
    if (error) {
      const { name, about } = z.flattenError(error).fieldErrors
      return setErrors({ ...(name?.[0] && { name: name[0] }), ...(about?.[0] && { about: about[0] }) })
    }
    setErrors({})
    try {
      const { name, about } = await mutateAsync(data)
      end(sent, { name: name ?? '', about })
      toast.success('Page saved')
    } catch (failure) {
      setErrors({
        name: failure instanceof ApiError ? failure.message : 'That did not work. Please try again.',
      })
    }
  }

  return (
    <form
      method="post"
      noValidate
      aria-label="Your page"
      className="flex flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRunning()) void save()
      }}
    >
      <Field
        label="Name of the page"
        hint={`${window.location.origin}/@… A name stays yours, also after you change it: the former one leads to your page.`}
        error={errors.name}
        className="w-full"
      >
        <TextInput
          value={typed.name}
          placeholder="ada-lovelace"
          maxLength={2 * PROFILE_NAME_MAX}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => type({ ...typed, name: target.value })}
        />
      </Field>
      <Field label="A sentence about you" error={errors.about} className="w-full">
        <TextInput
          value={typed.about}
          maxLength={2 * ABOUT_MAX}
          onChange={({ target }) => type({ ...typed, about: target.value })}
        />
      </Field>
      <Button type="submit" disabled={!isDirty} busy={isPending}>
        Save page
      </Button>
    </form>
  )
}

/** Switches the page on and off, and leads to it. */
function Switch({ profile: { name, isOn } }: { profile: Profile }) {
  const { mutate, isPending, variables } = useChangeProfile('switch')
  const path = `/@${encodeURIComponent(name ?? '')}`
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <Checkbox
        label="Everybody can see my page"
        hint={name === null ? 'Give it a name first.' : undefined}
        disabled={name === null}
        checked={isPending ? (variables.isOn ?? isOn) : isOn}
        onChange={({ target }) => mutate({ isOn: target.checked })}
      />
      {isOn && name !== null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <a
            href={path}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 min-w-0 items-center gap-1 rounded-sm font-medium text-accent hover:text-accent-strong pointer-coarse:min-h-11"
          >
            <bdi className="truncate">@{name}</bdi>
            <ArrowUpRight className="size-4 shrink-0" aria-hidden="true" />
          </a>
          <CopyButton text={`${window.location.origin}/@${name}`} label="Copy link to my page" />
        </div>
      )}
    </div>
  )
}
