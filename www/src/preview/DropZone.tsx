import { type DragEvent, type ReactNode, useRef, useState } from "react";

/** The whole page as a place to drop files. */
export function DropZone({ onFiles, children }: { onFiles(files: File[]): void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  // Each element under the pointer sends its own events.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    <div
      className={isOver ? "drop-zone drop-zone-over" : "drop-zone"}
      onDragEnter={(event) => {
        if (hasFiles(event) && ++depth.current > 0) setOver(true);
      }}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className="drop-hint" aria-hidden="true">
          Drop a schema or a file with rows
        </div>
      )}
    </div>
  );
}
