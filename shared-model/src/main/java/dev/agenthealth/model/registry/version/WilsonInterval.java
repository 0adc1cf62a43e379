package dev.agenthealth.model.registry.version;

/**
 * The Wilson score interval: the shares of all executions that agree with the share in a sample.
 *
 * @param low the lower end, from 0
 * @param high the upper end, to 1
 */
public record WilsonInterval(double low, double high) {

    /** The standard deviations of an interval that holds the true share with a confidence of 95 %. */
    public static final double CONFIDENCE_95 = 1.959964;

    /** The standard deviations for a confidence of 99 %. */
    public static final double CONFIDENCE_99 = 2.575829;

    /**
     * Returns the interval for a share; from 0 to 1 without a sample.
     *
     * @param part the number of hits, from 0 to {@code of}
     * @param of the size of the sample
     * @param deviations the standard deviations, such as {@link #CONFIDENCE_95}
     */
    public static WilsonInterval of(long part, long of, double deviations) {
        if (of <= 0) {
            return new WilsonInterval(0, 1);
        }
        double share = (double) part / of;
        double square = deviations * deviations / of;
        double middle = share + square / 2;
        double half = deviations * Math.sqrt(share * (1 - share) / of + square / (4 * of));
        return new WilsonInterval(
                Math.max(0, (middle - half) / (1 + square)), Math.min(1, (middle + half) / (1 + square)));
    }
}
