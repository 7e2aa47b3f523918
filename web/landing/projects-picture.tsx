import { ProgressBar } from '#web/ui/progress-bar.tsx'

const projects = [
  { title: 'The old canoe', text: 'Strip it, patch it, paint it, and be on the lake by June.', progress: 80 },
  { title: 'Counterpoint', text: 'Two voices first. Then three. Then perhaps a fugue.', progress: 33 },
]

/** Two project cards, one laid over the other. */
export function ProjectsPicture() {
  return (
    <div className="max-w-md pb-2">
      {projects.map(({ title, text, progress }) => (
        <div
          key={title}
          className="rounded-lg border border-line bg-raised p-5 shadow-md first:mr-10 last:-mt-6 last:ml-10 last:shadow-lg"
        >
          <p className="font-reading text-lg font-medium">{title}</p>
          <p className="mt-1 text-sm text-muted">{text}</p>
          <ProgressBar value={progress} className="mt-3" />
        </div>
      ))}
    </div>
  )
}
