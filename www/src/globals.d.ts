/** Version of the build, shown in the footer. */
declare const __VERSION__: string;
