import { CollaborationPicture } from './collaboration-picture.tsx'
import { JournalPicture } from './journal-picture.tsx'
import { ProjectsPicture } from './projects-picture.tsx'
import { SharingPicture } from './sharing-picture.tsx'
import { Stop, StopMarker } from './stop.tsx'
import { ThemesPicture } from './themes-picture.tsx'

/** What the product does, stop by stop along a winding trail. */
export function Features() {
  return (
    <section aria-labelledby="features" className="mx-auto max-w-wide px-4 pt-16 sm:px-6 lg:pt-24">
      <h2 id="features" className="text-3xl font-semibold tracking-tight lg:text-center">
        From the first step to the view
      </h2>
      <ol className="mt-10 lg:mt-16">
        <Stop side="left" picture={<ProjectsPicture />}>
          <Feature name="Project management">
            Give a project its milestones and tick them off one by one. The trail shows what is done, what you
            are at, and how much is left, for every project you keep.
          </Feature>
        </Stop>
        <Stop side="right" picture={<JournalPicture />}>
          <Feature name="Rich content">
            Entries are Markdown: headings, lists, quotes, tables, code and checklists, with a preview a tap
            away and a draft that survives a closed tab.
          </Feature>
          <Feature name="Search">
            Find the day you solved it. Search titles and contents, narrow by tag, sort by date or by name.
          </Feature>
        </Stop>
        <Stop side="left" picture={<CollaborationPicture />}>
          <Feature name="Team collaboration">
            Invite people by their e-mail address as viewers, editors or admins. Roles decide who may do what,
            and notifications say who joined and whose role changed.
          </Feature>
        </Stop>
        <Stop side="right" picture={<SharingPicture />}>
          <Feature name="Public sharing">
            One checkbox makes a project a page that anybody can read without an account. Send the link, or
            share it where your friends are.
          </Feature>
        </Stop>
        <Stop side="left" picture={<ThemesPicture />}>
          <Feature name="Light and dark themes">
            Paper and ink by day, lamplight by night. Milepost follows your system until you choose.
          </Feature>
          <Feature name="Ready for mobile">
            Write at the workbench, on the train or halfway up: every screen is made for a thumb, too.
          </Feature>
        </Stop>
      </ol>
      <p className="relative text-muted max-lg:pl-12 lg:pt-8 lg:text-center">
        <StopMarker reached />
        Solid ground under your notes: encryption, backups and 99.9% uptime.
      </p>
    </section>
  )
}

function Feature({ name, children }: { name: string; children: string }) {
  return (
    <div className="max-w-md">
      <h3 className="text-xl font-semibold tracking-tight">{name}</h3>
      <p className="mt-2 text-muted">{children}</p>
    </div>
  )
}
