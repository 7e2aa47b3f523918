/** The server's statistics, which `islands/numbers.ts` fetches. */
export function StatsBand() {
  return (
    <section
      aria-label="Milepost in numbers"
      data-island="numbers"
      className="border-b border-line bg-sunken noscript:hidden"
    >
      <div className="mx-auto max-w-wide px-4 pt-10 pb-8 sm:px-6">
        <dl className="relative grid grid-cols-3 before:absolute before:inset-x-0 before:top-[0.4375rem] before:border-t-2 before:border-dashed before:border-edge">
          <Stat label="Active Users" name="users" />
          <Stat label="Projects Created" name="projects" />
          <Stat label="Milestones Achieved" name="milestones" />
        </dl>
        <p data-number="entries" className="mt-6 min-h-6 text-center text-muted" />
      </div>
    </section>
  )
}

function Stat({ label, name }: { label: string; name: string }) {
  return (
    <div className="relative flex flex-col items-center px-1 text-center">
      <span className="mb-4 size-4 rounded-full border-[3px] border-accent bg-sunken" aria-hidden="true" />
      <dt className="order-2 mt-1 text-sm text-muted">{label}</dt>
      <dd data-number={name} className="text-3xl font-semibold tracking-tight tabular-nums">
        ...
      </dd>
    </div>
  )
}
