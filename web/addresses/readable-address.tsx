import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SLUG_MAX, slug as slugSchema } from '#contract/addresses.ts'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const addressQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['address', projectId],
    queryFn: ({ signal }) => request('readAddress', { params: { projectId } }, { signal }),
  })

function useChangeAddress(projectId: string) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['address', projectId, 'change'],
    mutationFn: (slug: string | null) => change('changeAddress', { params: { projectId }, body: { slug } }),
    onSuccess(address) {
      if (address) client.setQueryData(addressQuery(projectId).queryKey, address)
    },
  })
}

/** The part of the share dialog with the readable address of a project, for those who may publish it. */
export function ReadableAddress({ projectId }: { projectId: string }) {
  const { data, isError, isFetching, refetch } = useQuery({
    ...addressQuery(projectId),
    refetchOnMount: 'always',
  })
  return (
    <section aria-labelledby="readable-address" className="border-t border-line pt-5">
      <h3 id="readable-address" className="text-sm font-semibold">
        Readable address
      </h3>
      <p className="mt-1 mb-3 text-sm text-muted">
        Leads to the public page, and is easy to say and to type. It stays this project's for ever: also after
        you change it, the former one leads here.
      </p>
      {data && <AddressForm key={data.slug} projectId={projectId} slug={data.slug} />}
      {!data && isError && (
        <FetchFailed
          title="The address could not be fetched"
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !isError && <Skeleton className="h-16" />}
    </section>
  )
}

type AddressFormProps = { projectId: string; slug: string | null }

function AddressForm({ projectId, slug }: AddressFormProps) {
  const [typed, setTyped] = useState(slug ?? '')
  const [error, setError] = useState<string>()
  const { mutateAsync, isPending } = useChangeAddress(projectId)
  const base = `${window.location.origin}/world/`

  async function save() {
    const parsed = slugSchema.nullable().safeParse(typed.trim() === '' ? null : typed)
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    setError(undefined)
    try {
      await mutateAsync(parsed.data)
      toast.success(parsed.data === null ? 'Address removed' : 'Address saved')
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : 'That did not work. Please try again.')
    }
  }

  return (
    <form
      method="post"
      noValidate
      aria-label="Readable address"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void save()
      }}
    >
      <Field label="After the last slash" hint={`${base}…`} error={error}>
        <TextInput
          value={typed}
          placeholder="cedar-canoe"
          maxLength={SLUG_MAX}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <div className="mt-2.5 flex flex-wrap gap-2.5">
        <Button type="submit" size="sm" busy={isPending} disabled={typed.trim() === (slug ?? '')}>
          Save address
        </Button>
        {slug !== null && <CopyButton text={base + slug} label="Copy readable address" />}
      </div>
    </form>
  )
}
