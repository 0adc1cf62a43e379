package dev.agenthealth.emulator.streams;

import java.nio.file.Path;

/** Where the stream mappings' checkpoints are kept. */
@FunctionalInterface
public interface Checkpoints {

    /** The checkpoint of the mapping of this name, which is fit to be a file's name. */
    Checkpoint of(String mappingName);

    /** Nowhere, for tables that do not outlive the process. */
    static Checkpoints nowhere() {
        return mappingName -> Checkpoint.none();
    }

    /** In files of a folder that exists. */
    static Checkpoints in(Path folder) {
        return mappingName -> Checkpoint.in(folder.resolve(mappingName + ".checkpoint"));
    }
}
