import TourAPI
import TourModel
import TourWords

extension Problem {
    /// A fault as a part of an answer, in the words of the request's reader.
    package init(_ problem: any SpokenFault, on surface: any Surface) {
        self.init(
            code: problem.code, message: problem.phrase(on: surface).spoken,
            advice: problem.advice(on: surface)?.spoken)
    }
}
