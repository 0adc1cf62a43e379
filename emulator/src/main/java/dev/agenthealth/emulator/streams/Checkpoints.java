package dev.agenthealth.emulator.streams;

import java.nio.file.Path;

/** Gives each stream mapping its checkpoint. */
@FunctionalInterface
public interface Checkpoints {

    /** The checkpoint of the mapping of this name, which is usable as a file name. */
    Checkpoint of(String mappingName);

    /** Stores nothing: for tables in memory. */
    static Checkpoints nowhere() {
        return mappingName -> Checkpoint.none();
    }

    /** Stores positions in files of an existing folder. */
    static Checkpoints in(Path folder) {
        return mappingName -> Checkpoint.in(folder.resolve(mappingName + ".checkpoint"));
    }
}
