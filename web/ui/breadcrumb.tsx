import { Link } from 'react-router'

/** A breadcrumb trail; every step but the last is a link. */
export function Breadcrumb({ steps }: { steps: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-3 text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {steps.map(({ label, to }, index) => (
          <li key={`${index}-${label}`} className="flex min-w-0 items-center gap-2">
            {index > 0 && <span className="w-3 border-t border-edge" aria-hidden="true" />}
            {to ? (
              <Link
                to={to}
                dir="auto"
                className="max-w-60 truncate rounded-sm hover:text-ink hover:underline"
              >
                {label}
              </Link>
            ) : (
              <span aria-current="page" dir="auto" className="max-w-60 truncate text-ink">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
